const DETAILS = /^\/operation\/([0-9a-f-]{36})\/[^/]*$/;

/** The path of a document with an operation's details. `title`: fit to be a file's name. */
export const detailsPath = (id: string, title: string): string => `/operation/${id}/${title}.md`;

/** The operation that a document's path is the details of. */
export const detailsIdOf = (path: string): string | undefined => DETAILS.exec(path)?.[1];
