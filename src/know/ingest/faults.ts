/** The closed list of what can be wrong with a file; each keeps that file out and stops no other. */
export const fileFaults = {
  empty: "it holds nothing",
  no_text: "it holds no text; scanned pages have to be recognised elsewhere first",
  encrypted: "it is encrypted; file a copy without a password",
  broken: "it cannot be read as what its name says it is",
  not_text: "it holds bytes that are no text",
  too_large: "it is larger than a file may be",
  too_long: "reading it took longer than it may",
  too_much_memory: "reading it took more memory than it may, as a hostile file does",
  unsupported: "its format is not read",
  outside: "it is a link that leads out of the source's folder",
  changing: "it changes while it is read",
  unreachable: "it cannot be opened",
  bad_metadata: "what it says about itself cannot be used",
  wider_access: "it would be open to more than its source",
  not_read: "the process that reads it ended; it is tried again",
  not_taken: "the database did not take it; it is tried again",
  long_path: "its path is longer than a path may be",
  id_taken: "its id and version are those of another file",
} as const;

/** Faults that say nothing of the file: it is tried again, and what was filed of it stays; the run is not complete while something is. */
export const passingFaults: readonly FileFault[] = ["changing", "unreachable", "not_read", "not_taken"];

/** One kind of fault. */
export type FileFault = keyof typeof fileFaults;

/** A file that cannot be filed, and why. The message names no text of the file. */
export class UnreadableFile extends Error {
  readonly fault: FileFault;

  constructor(fault: FileFault, detail?: string) {
    super(detail ?? fileFaults[fault]);
    this.name = "UnreadableFile";
    this.fault = fault;
  }
}

/** Says whether a text is a fault of the list. */
export function isFileFault(text: string): text is FileFault {
  return Object.hasOwn(fileFaults, text);
}
