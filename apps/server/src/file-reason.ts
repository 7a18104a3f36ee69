/** Explains why a file or folder cannot be used; falls back to the error's own message. */
export function fileReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return words[code ?? ""] ?? message;
}

const NO_RIGHT = "this process has no right to it: give its user the right, or name another place";

const words: Readonly<Record<string, string>> = {
  EACCES: NO_RIGHT,
  EPERM: NO_RIGHT,
  EROFS: "it is on a file system that can only be read: name another place",
  ENOENT: "there is no such file or folder",
  ENOTDIR: "it, or what it lies in, is no folder",
  EEXIST: "it is no folder",
  EISDIR: "it is a folder",
  ENOSPC: "there is no room on the disk",
};
