import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EvalHouse } from "../../src/cli/eval-house.ts";
import { createPlay } from "../../src/cli/eval-play.ts";
import { type ErrorCode, errorCodes } from "../../src/contract/errors.ts";
import { scorePlayed } from "../../src/evals/scorers/score-played.ts";
import { taskFor } from "../evals/played.ts";

// A door that turns away every request by the code that the case asks for, over real HTTP.
let door: Server;
let url: string;
beforeAll(async () => {
  door = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const code = JSON.parse(body).inputs.text as ErrorCode; // the case's own words
    const { status, means } = errorCodes[code];
    const problem = { type: `urn:countersign:error:${code}`, title: means, status, code, detail: "not so", facts: {} };
    response.writeHead(status, { "content-type": "application/problem+json" }).end(JSON.stringify(problem));
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(door.address() as AddressInfo).port}`; // it listens on a port
});
afterAll(() => door?.close());

function play(code: ErrorCode) {
  const person = { tenant: "acme", id: "emp-1", roles: ["employee"], key: "a-key" };
  const house = {
    asking: { url, directory: "/nowhere" },
    people: { askerOf: () => person },
  } as unknown as EvalHouse; // as much of it as a request that is turned away meets
  const playOne = createPlay({ house, labels: { unseenBy: () => [], has: () => false }, readFinal: async () => [] });
  return playOne(taskFor({ request: code, expectations: { refuses: true } }));
}

describe("a request that is turned away at the door", () => {
  it.each(["forbidden", "bad_text", "too_large", "input_invalid"] as const)("by %s is a refusal", async (code) => {
    const played = await play(code);
    expect(played).toMatchObject({ fault: null, decision: null, outcome: { decisionId: null, text: "not so" } });
    const task = taskFor({ expectations: { refuses: true } });
    expect(scorePlayed(task, played)).toContainEqual({ metric: "answers.refusal", value: 1, passed: true, why: "" });
  });

  it.each(["unknown_capability", "bad_request", "bad_json", "unauthenticated"] as const)(
    "by %s is a fault of the repeat, which no gate takes for a refusal",
    async (code) => {
      expect(await play(code)).toMatchObject({ fault: { code, message: expect.stringContaining("not so") } });
    },
  );
});
