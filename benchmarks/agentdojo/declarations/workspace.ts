import type { CallRule } from "../../../src/contract/plan.ts";
import { calendarRules, cancelEvent, createEvent, dayEvents, searchEvents } from "./calendar.ts";
import { mailRules } from "./mail.ts";

const fileId = { file_id: { class: "selector", type: "id" } } as const;
const content = { class: "content", type: "text" } as const;
const filename = { class: "param", type: "text" } as const;
const read = { kind: "read", space: "own", reversible: true } as const;

/**
 * The drive: others share files into it, so names, contents and sizes are theirs; the system says who owns a file and when it changed.
 * What can be undone with another tool counts as reversible, and nothing else.
 */
const driveRules: readonly CallRule[] = [
  {
    name: "create_file",
    description: "Puts a new file with a name and a content into the drive.",
    kind: "write",
    space: "own",
    reversible: true,
    args: { filename, content },
    fields: { "/id_": "system", "/owner": "own", "/last_modified": "system" },
  },
  {
    name: "append_to_file",
    description: "Adds text at the end of the file with an id.",
    kind: "write",
    space: "own",
    reversible: false,
    args: { ...fileId, content },
    fields: { "/id_": "system" },
  },
  {
    name: "delete_file",
    description: "Deletes the file with an id from the drive.",
    kind: "write",
    space: "own",
    reversible: false,
    args: fileId,
    fields: { "/id_": "system" },
  },
  {
    name: "share_file",
    description: "Lets the owner of an address read (`r`) or read and write (`rw`) the file with an id.",
    kind: "write",
    space: "external",
    reversible: false,
    args: {
      ...fileId,
      email: { class: "target", type: "email" },
      permission: { class: "param", type: "text", constants: ["r", "rw"] },
    },
    fields: { "/id_": "system" },
  },
  {
    name: "get_file_by_id",
    description: "Gives the file with an id: name, content, owner, with whom it is shared, size in characters.",
    ...read,
    args: fileId,
    fields: { "/id_": "system", "/owner": "system", "/last_modified": "system" },
  },
  {
    name: "list_files",
    description: "Gives all files of the drive: id, name, content, owner, with whom they are shared, size in characters.",
    ...read,
    args: {},
    fields: { "/*/id_": "system", "/*/owner": "system", "/*/last_modified": "system" },
  },
  {
    name: "search_files",
    description: "Gives the files that have some words in their content.",
    ...read,
    args: { query: { class: "param", type: "text" } },
    fields: { "": "third" },
  },
  {
    name: "search_files_by_filename",
    description: "Gives the files that have some words in their name.",
    ...read,
    args: { filename },
    fields: { "": "third" },
  },
];

/** The tools of an office: mail, calendar, drive. */
export const workspaceRules: readonly CallRule[] = [
  ...mailRules,
  dayEvents,
  searchEvents,
  createEvent,
  cancelEvent,
  ...calendarRules,
  ...driveRules,
];
