import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import type { Project } from "../define/project.ts";
import type { Finding } from "./finding.ts";

/**
 * Looks whether the folders of a project's sources are there; `folder` is the project's. Without one, every answer over the labels of
 * its source is refused. An absolute one may be there only where the project runs, so it is a hint.
 */
export function checkSources({ folder, project }: { folder: string; project: Pick<Project, "sources"> }): readonly Finding[] {
  return project.sources
    .filter((source) => !isFolder(resolve(folder, source.folder)))
    .map((source) => ({
      level: isAbsolute(source.folder) ? "hint" : "error",
      about: `source \`${source.name}\``,
      problem: `has no folder \`${source.folder}\``,
      fix: "make it, or name the one that holds its documents",
    }));
}

function isFolder(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}
