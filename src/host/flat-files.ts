import { Disposable as EditorDisposable, FileSystemError } from "vscode";

/** What a file system that has neither folders nor names of its own answers to most that is asked of one. */
export abstract class FlatFiles {
  /** Changes are told whether or not anyone watches. */
  watch(): EditorDisposable {
    return new EditorDisposable(() => undefined);
  }

  readDirectory(): never {
    throw FileSystemError.NoPermissions();
  }

  createDirectory(): never {
    throw FileSystemError.NoPermissions();
  }

  delete(): never {
    throw FileSystemError.NoPermissions();
  }

  rename(): never {
    throw FileSystemError.NoPermissions();
  }
}
