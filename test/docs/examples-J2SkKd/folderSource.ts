// folder-source.ts
import { folderSource } from "../../../src/define/folder-source.ts";

export const told: [unknown, unknown][] = [];
const handbook = folderSource({
  name: "handbook",
  folder: "documents",
  owner: "it-service",
  scopes: ["tenant:all"],
  freshWithinMs: 15 * 60_000,
});

export type Shown = typeof folderSource;
