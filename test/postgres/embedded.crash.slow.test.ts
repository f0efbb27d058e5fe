import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { embeddedStatus, startEmbedded } from "../../src/store/embedded.ts";
import { initialisedProject } from "./embedded/project.ts";
import { busyBackend, isGone, killIfThere, pidOf, processesIn, query, until } from "./embedded/server.ts";
import { track } from "./embedded/starter.ts";

const project = initialisedProject();

describe("after a crash", () => {
  it("keeps what was committed when the postmaster is killed while its children work", async () => {
    const server = await startEmbedded(project);
    await query(server.adminUrl, "create table kept (n int)");
    await query(server.adminUrl, "insert into kept select generate_series(1, 1000)");
    const busy = await busyBackend(server);
    process.kill(await pidOf(project.directory), "SIGKILL");
    const again = await startEmbedded(project);
    expect(again).toMatchObject({ adopted: false, port: server.port });
    expect(await query(again.adminUrl, "select count(*)::int as n from kept")).toEqual([{ n: 1000 }]);
    expect(await isGone(busy)).toBe(true);
    expect(await readFile(join(project.directory, "postgres.log"), "utf8")).toContain("was not properly shut down");
  });

  it("keeps what was committed when every process of the server is killed at once", async () => {
    const server = await startEmbedded(project);
    await query(server.adminUrl, "create table kept as select 7 as n");
    for (const pid of await processesIn(server.dataDirectory)) killIfThere(pid);
    const again = await startEmbedded(project);
    expect(again.adopted).toBe(false);
    expect(await query(again.adminUrl, "select n from kept")).toEqual([{ n: 7 }]);
  });

  it("waits for the recovery of a server that lost a child, and adopts the same one", async () => {
    const server = await startEmbedded(project);
    const pid = await pidOf(project.directory);
    process.kill(await busyBackend(server), "SIGKILL");
    await until(async () =>
      (await readFile(join(project.directory, "postgres.log"), "utf8")).includes("was terminated by signal 9"),
    );
    const again = await startEmbedded(project);
    expect(again.adopted).toBe(true);
    expect(await pidOf(project.directory)).toBe(pid);
    expect(await query(again.adminUrl, "select 1 as n")).toEqual([{ n: 1 }]);
  });

  it("does not mistake a stranger with the old pid for the server, nor harm it", async () => {
    const server = await startEmbedded(project);
    const file = join(server.dataDirectory, "postmaster.pid");
    const lines = (await readFile(file, "utf8")).split("\n");
    process.kill(await pidOf(project.directory), "SIGKILL");
    await until(async () => (await processesIn(server.dataDirectory)).length === 0);
    const stranger = spawn("sleep", ["600"]);
    track(stranger);
    await writeFile(file, [String(stranger.pid), ...lines.slice(1)].join("\n"));
    expect(await embeddedStatus(project)).toEqual({ kind: "stopped", isInitialised: true });
    expect(await startEmbedded(project)).toMatchObject({ adopted: false });
    expect(stranger.exitCode ?? stranger.signalCode).toBe(null);
  });
});
