import assert from "node:assert/strict";
import { GithubCredentials } from "../../../../src/host/credentials/github-credentials.ts";
import type { Account, Consent } from "../../../../src/host/credentials/github-credentials.ts";

const ada: Account = { name: "ada", token: "gho_secret" };
const user = "Username for 'https://github.com': ";
const password = "Password for 'https://ada@github.com': ";

class Editor {
  consent: Consent | undefined;
  account: Account | undefined = ada;
  questions = 0;
  signIns = 0;
  readonly logged: string[] = [];
  answer: () => Promise<Consent | undefined> = () => Promise.resolve(undefined);

  window(): GithubCredentials {
    return new GithubCredentials({
      account: () => Promise.resolve(this.account),
      signIn: () => {
        this.signIns += 1;
        return Promise.resolve((this.account ??= ada));
      },
      ask: () => {
        this.questions += 1;
        return this.answer();
      },
      consent: {
        get: () => this.consent,
        set: (consent) => {
          this.consent = consent;
          return Promise.resolve();
        },
      },
      log: { info: (message) => void this.logged.push(message) },
    });
  }
}

describe("Credentials for github.com", () => {
  let editor: Editor;
  beforeEach(() => (editor = new Editor()));

  it("come from the editor's account after consent, which later windows remember", async () => {
    editor.answer = () => Promise.resolve("given");
    const first = editor.window();
    assert.deepEqual([await first.answer(user), await first.answer(password)], ["ada", "gho_secret"]);
    assert.equal(await editor.window().answer(password), "gho_secret");
    assert.deepEqual([editor.questions, editor.signIns], [1, 1]);
  });

  it("are not given without consent: dismissed is asked again in another window only, refused nowhere", async () => {
    const first = editor.window();
    assert.deepEqual([await first.answer(user), await first.answer(user)], [undefined, undefined]);
    assert.equal(editor.questions, 1);
    editor.answer = () => Promise.resolve("refused");
    assert.equal(await editor.window().answer(user), undefined);
    assert.equal(await editor.window().answer(user), undefined);
    assert.deepEqual([editor.questions, editor.signIns], [2, 0]);
  });

  it("are asked for once where several pushes need them at a time", async () => {
    const asked = Promise.withResolvers<Consent>();
    editor.answer = () => asked.promise;
    const window = editor.window();
    const answers = Promise.all([window.answer(user), window.answer(user), window.answer(user)]);
    asked.resolve("given");
    assert.deepEqual(await answers, ["ada", "ada", "ada"]);
    assert.equal(editor.questions, 1);
  });

  it("go to no account but the one that the address names", async () => {
    editor.consent = "given";
    const window = editor.window();
    assert.equal(await window.answer("Password for 'https://Ada@github.com': "), "gho_secret");
    assert.equal(await window.answer("Password for 'https://eve@github.com': "), undefined);
    assert.equal(editor.logged.length, 1);
    assert.doesNotMatch(editor.logged.join(), /gho_secret/);
  });

  it("stop with the account: who signs out is asked again, not answered from memory", async () => {
    editor.answer = () => Promise.resolve("given");
    assert.equal(await editor.window().answer(password), "gho_secret");
    editor.account = undefined;
    editor.answer = () => Promise.resolve(undefined);
    const later = editor.window();
    assert.equal(await later.answer(password), undefined);
    assert.equal(editor.questions, 2);
  });

  for (const prompt of [
    "Password for 'https://gitlab.com': ",
    "Password for 'http://github.com': ",
    "Password for 'https://github.com:8443': ",
    "Password for 'https://github.com.evil.example': ",
    "Password for 'https://gist.github.com': ",
    "Password for 'https://github.com/x@evil.example': ",
    "Password for 'https://github.com\\@evil.example': ",
    "Password for 'https://github.com@evil.example': ",
    "Password for 'https://evil.example/ada@github.com': ",
    "Password for 'https://evil.example'\nPassword for 'https://github.com': ",
    "Enter passphrase for key '/home/ada/.ssh/id': ",
    "",
  ]) {
    it(`are not given to ${JSON.stringify(prompt)}, nor is anybody asked`, async () => {
      editor.answer = () => Promise.resolve("given");
      assert.equal(await editor.window().answer(prompt), undefined);
      editor.consent = "given";
      assert.equal(await editor.window().answer(prompt), undefined);
      assert.equal(editor.questions, 0);
    });
  }
});
