import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";
import { startEmbedded, stopEmbedded } from "../../../src/store/embedded.ts";
import { endChildren } from "./starter.ts";

/** A folder for one test, and in it the project's folder, which a test may rename. */
export type Project = { root: string; directory: string };

/** Gives each test of a file a project folder that does not exist yet, and stops and removes whatever the test left. */
export function freshProject(): Project {
  // Several initialisations and recoveries in one test take their time on a busy machine.
  vi.setConfig({ testTimeout: 60_000 });
  const project: Project = { root: "", directory: "" };
  beforeEach(async () => {
    project.root = await mkdtemp(join(tmpdir(), "countersign-embedded-"));
    project.directory = join(project.root, "project");
  });
  afterEach(async () => {
    await endChildren();
    await stopEmbedded(project);
    await rm(project.root, { recursive: true, force: true });
  });
  return project;
}

/** Like `freshProject`, but initialised and stopped: a copy of one that is made once, because initialising takes the longest. */
export function initialisedProject(): Project {
  const template: Project = { root: "", directory: "" };
  beforeAll(async () => {
    template.root = await mkdtemp(join(tmpdir(), "countersign-embedded-"));
    template.directory = join(template.root, "project");
    await startEmbedded(template);
    await stopEmbedded(template);
  });
  afterAll(() => rm(template.root, { recursive: true, force: true }));
  const project = freshProject();
  beforeEach(() => cp(template.directory, project.directory, { recursive: true }));
  return project;
}
