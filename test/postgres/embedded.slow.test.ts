import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { embeddedStatus, startEmbedded } from "../../src/store/embedded.ts";
import { freshProject } from "./embedded/project.ts";
import { drafts, pidOf, query, serverProcesses, setting, until } from "./embedded/server.ts";
import { runChild, startInChild } from "./embedded/starter.ts";

const project = freshProject();

describe("a first start", () => {
  it("gives a durable UTF-8 server that listens on 127.0.0.1 only", async () => {
    const server = await startEmbedded(project);
    const names = ["fsync", "full_page_writes", "synchronous_commit", "data_checksums", "max_connections", "listen_addresses"];
    const values = await Promise.all(
      [...names, "unix_socket_directories", "server_encoding"].map((name) => setting(server, name)),
    );
    expect(values).toEqual(["on", "on", "on", "on", "200", "127.0.0.1", "", "UTF8"]);
    const [row] = await query(
      server.adminUrl,
      "select lower('ÄÖ') as low, current_setting('server_version_num')::int as version",
    );
    expect(row).toMatchObject({ low: "äö" });
    expect(row?.["version"]).toBeGreaterThanOrEqual(180_000);
    expect(server.adopted).toBe(false);
  });

  it("keeps a random password that only its owner can read, and refuses any other", async () => {
    const server = await startEmbedded(project);
    const file = join(project.directory, "secrets", "admin-password");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const url = new URL(server.adminUrl);
    expect(decodeURIComponent(url.password)).toBe((await readFile(file, "utf8")).trim());
    expect(url.password.length).toBeGreaterThanOrEqual(32);
    url.password = "another";
    await expect(query(url.href, "select 1")).rejects.toMatchObject({ code: "28P01" });
  });

  it("gives the server none of our environment and none of our data to log", async () => {
    const server = await startEmbedded(project);
    await expect(query(server.adminUrl, "select 'a-private-word'::int")).rejects.toThrow();
    const pid = await pidOf(project.directory);
    const environment = (await readFile(`/proc/${pid}/environ`, "utf8")).split("\0").map((line) => line.split("=")[0]);
    expect(
      environment.filter((name) => name !== "" && name !== "PATH" && name !== "TZ" && !/^(LC|PG)_/.test(name ?? "")),
    ).toEqual([]);
    const log = await readFile(join(project.directory, "postgres.log"), "utf8");
    expect(log).toContain("ready to accept connections");
    expect(log).not.toContain("a-private-word");
  });

  it("refuses a port that is in use and leaves nothing running", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await expect(startEmbedded({ directory: project.directory, port })).rejects.toMatchObject({
      code: "port_taken",
      facts: { port },
    });
    expect(await embeddedStatus(project)).toEqual({ kind: "stopped", isInitialised: true });
    other.close();
    await once(other, "close");
    expect(await startEmbedded({ directory: project.directory, port })).toMatchObject({ port, adopted: false });
  });

  it("says what PostgreSQL said when a setting is not valid", async () => {
    const start = startEmbedded({ directory: project.directory, settings: { shared_buffers: "no size" } });
    await expect(start).rejects.toMatchObject({
      code: "database_start_failed",
      message: expect.stringContaining("shared_buffers"),
    });
  });

  it("leaves no server behind when it is given up on the way", async () => {
    const giveUp = new AbortController();
    const start = startEmbedded({ directory: project.directory, signal: giveUp.signal });
    const outcome = expect(start).rejects.toThrow("given up");
    await until(async () => (await embeddedStatus(project)).kind === "running");
    giveUp.abort(new Error("given up"));
    await outcome;
    expect(await embeddedStatus(project)).toEqual({ kind: "stopped", isInitialised: true });
  });

  it("gives one server when six processes start at the same instant", async () => {
    const started = await Promise.all(Array.from({ length: 6 }, () => startInChild(project.directory)));
    expect(new Set(started.map(({ port }) => port)).size).toBe(1);
    expect(started.filter(({ adopted }) => !adopted)).toHaveLength(1);
    expect(await serverProcesses(project.directory)).toHaveLength(1);
    expect((await readdir(project.directory)).sort()).toEqual(["postgres", "postgres.lock", "postgres.log", "secrets"]);
  });

  it.each(["alone", "with its initdb"])("is made anew when the one who began was killed halfway, %s", async (how) => {
    const starter = runChild(project.directory, { stayAlive: true });
    await until(async () => (await drafts(project.directory)).some((names) => names.includes("PG_VERSION")));
    const pid = starter.child.pid ?? 0;
    process.kill(how === "alone" ? pid : -pid, "SIGKILL");
    await once(starter.child, "exit");
    expect(await readdir(project.directory)).not.toContain("postgres");
    const server = await startEmbedded(project);
    expect(await query(server.adminUrl, "select 1 as n")).toEqual([{ n: 1 }]);
    expect((await readdir(project.directory)).filter((name) => name.includes("draft"))).toEqual([]);
  });
});
