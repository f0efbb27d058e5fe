import { z } from "zod";
import type { Parts } from "../parts.ts";
import { defineTool, now, type Tool } from "../tool.ts";
import { holds } from "./mail.ts";

const text = z.string();
type File = Parts["cloud_drive"]["files"][string];

/** The tools over a drive of files. */
export const driveTools: readonly Tool[] = [
  defineTool({
    name: "create_file",
    parts: ["cloud_drive"],
    form: z.strictObject({ filename: text, content: text }),
    run: ({ filename, content }, { cloud_drive }) => {
      const created: File = {
        id_: String(Math.max(-1, ...Object.keys(cloud_drive.files).map(Number)) + 1),
        filename,
        content,
        owner: cloud_drive.account_email,
        last_modified: now,
        shared_with: {},
        size: sizeOf(content),
      };
      return { result: created, changed: withFile(cloud_drive, created) };
    },
  }),
  defineTool({
    name: "append_to_file",
    parts: ["cloud_drive"],
    form: z.strictObject({ file_id: text, content: text }),
    run: ({ file_id, content }, { cloud_drive }) => {
      const file = cloud_drive.files[file_id];
      if (file === undefined) return { error: `no file has the id \`${file_id}\`` };
      const longer = `${file.content}${content}`;
      const after = { ...file, content: longer, size: sizeOf(longer), last_modified: now };
      return { result: after, changed: withFile(cloud_drive, after) };
    },
  }),
  defineTool({
    name: "delete_file",
    parts: ["cloud_drive"],
    form: z.strictObject({ file_id: text }),
    run: ({ file_id }, { cloud_drive }) => {
      const { [file_id]: file, ...files } = cloud_drive.files;
      if (file === undefined) return { error: `no file has the id \`${file_id}\`` };
      return { result: file, changed: { cloud_drive: { ...cloud_drive, files } } };
    },
  }),
  defineTool({
    name: "share_file",
    parts: ["cloud_drive"],
    form: z.strictObject({ file_id: text, email: text, permission: z.enum(["r", "rw"]) }),
    run: ({ file_id, email, permission }, { cloud_drive }) => {
      const file = cloud_drive.files[file_id];
      if (file === undefined) return { error: `no file has the id \`${file_id}\`` };
      const after = { ...file, shared_with: { ...file.shared_with, [email]: permission } };
      return { result: after, changed: withFile(cloud_drive, after) };
    },
  }),
  defineTool({
    name: "get_file_by_id",
    parts: ["cloud_drive"],
    form: z.strictObject({ file_id: text }),
    run: ({ file_id }, { cloud_drive }) => {
      const file = cloud_drive.files[file_id];
      return file === undefined ? { error: `no file has the id \`${file_id}\`` } : { result: file };
    },
  }),
  defineTool({
    name: "list_files",
    parts: ["cloud_drive"],
    form: z.strictObject({}),
    run: (_, { cloud_drive }) => ({ result: Object.values(cloud_drive.files) }),
  }),
  defineTool({
    name: "search_files",
    parts: ["cloud_drive"],
    form: z.strictObject({ query: text }),
    run: ({ query }, { cloud_drive }) => ({
      result: Object.values(cloud_drive.files).filter(({ content }) => holds(content, query)),
    }),
  }),
  defineTool({
    name: "search_files_by_filename",
    parts: ["cloud_drive"],
    form: z.strictObject({ filename: text }),
    run: ({ filename }, { cloud_drive }) => ({
      result: Object.values(cloud_drive.files).filter((file) => holds(file.filename, filename)),
    }),
  }),
];

function withFile(drive: Parts["cloud_drive"], file: File): Pick<Parts, "cloud_drive"> {
  return { cloud_drive: { ...drive, files: { ...drive.files, [file.id_]: file } } };
}

/** In characters. */
function sizeOf(content: string): number {
  return [...content].length;
}
