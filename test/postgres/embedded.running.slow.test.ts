import { once } from "node:events";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { embeddedStatus, startEmbedded, stopEmbedded } from "../../src/store/embedded.ts";
import { initialisedProject } from "./embedded/project.ts";
import { pidOf, query } from "./embedded/server.ts";
import { runChild, startInChild } from "./embedded/starter.ts";

const project = initialisedProject();

describe("a server that runs", () => {
  it("is adopted, by this process and by others, and outlives the one that started it", async () => {
    const first = await startInChild(project.directory);
    expect(first.adopted).toBe(false);
    const pid = await pidOf(project.directory);
    const again = await startEmbedded(project);
    expect(again).toMatchObject({ adopted: true, port: first.port });
    expect(await startInChild(project.directory)).toMatchObject({ adopted: true, port: first.port });
    expect(await pidOf(project.directory)).toBe(pid);
  });

  it("outlives its starter's process group being killed", async () => {
    const starter = runChild(project.directory, { stayAlive: true });
    await once(starter.child.stdout ?? starter.child, "data");
    const pid = await pidOf(project.directory);
    process.kill(-(starter.child.pid ?? 0), "SIGKILL");
    await once(starter.child, "exit");
    expect(await startEmbedded(project)).toMatchObject({ adopted: true });
    expect(await pidOf(project.directory)).toBe(pid);
  });

  it("is stopped once, cleanly, and keeps its port for the next start", async () => {
    expect(await stopEmbedded(project)).toEqual({ kind: "not_running" });
    const { port } = await startEmbedded(project);
    const pid = await pidOf(project.directory);
    expect(await embeddedStatus(project)).toMatchObject({ kind: "running", pid, port });
    expect(await stopEmbedded(project)).toEqual({ kind: "stopped", pid, wasForced: false });
    expect(await stopEmbedded(project)).toEqual({ kind: "not_running" });
    expect(await embeddedStatus(project)).toEqual({ kind: "stopped", isInitialised: true });
    expect(await startEmbedded(project)).toMatchObject({ port, adopted: false });
    expect(await readFile(join(project.directory, "postgres.log"), "utf8")).not.toContain("was not properly shut down");
  });

  it("is not served to a process without the kept password", async () => {
    await startEmbedded(project);
    const file = join(project.directory, "secrets", "admin-password");
    const password = await readFile(file, "utf8");
    await writeFile(file, "another\n");
    await expect(startEmbedded(project)).rejects.toMatchObject({ code: "database_unavailable" });
    await rm(file);
    await expect(startEmbedded(project)).rejects.toMatchObject({ code: "database_start_failed", facts: { file } });
    await writeFile(file, password);
    expect(await startEmbedded(project)).toMatchObject({ adopted: true });
  });
});

describe("a project folder that is renamed under its server", () => {
  it("is not served twice: the old server is named, can be stopped, and the next start serves the new path", async () => {
    const server = await startEmbedded(project);
    await query(server.adminUrl, "create table kept as select 7 as n");
    const pid = await pidOf(project.directory);
    const renamed = join(project.root, "renamed");
    await rename(project.directory, renamed);
    project.directory = renamed;
    await expect(startEmbedded(project)).rejects.toMatchObject({ code: "database_unavailable", facts: { pid } });
    expect(await stopEmbedded(project)).toMatchObject({ kind: "stopped", pid });
    const again = await startEmbedded(project);
    expect(await query(again.adminUrl, "select n from kept")).toEqual([{ n: 7 }]);
  });
});
