/** A person chose what has nothing to work on now. Told as information: nothing went wrong. */
export class NothingToDo extends Error {
  constructor(message: string) {
    super(message);
    this.name = "NothingToDo";
  }
}
