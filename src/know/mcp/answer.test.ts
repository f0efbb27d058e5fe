import { describe, expect, it } from "vitest";
import { rowsOfAnswer } from "./answer.ts";

const asked = { server: "tracker", tool: "search", secret: 'token-1 "quoted"' };
const text = (said: string) => ({ content: [{ type: "text", text: said }] });

describe("the rows of an answer", () => {
  it.each([
    ["a list of objects", { structuredContent: { tickets: [{ number: 7 }] } }, [{ number: 7 }]],
    ["a list of words", { structuredContent: { names: ["ada", "erin"] } }, [{ value: "ada" }, { value: "erin" }]],
    ["an empty list", { structuredContent: { tickets: [] } }, []],
    ["a list beside something", { structuredContent: { tickets: [1], next: null } }, [{ tickets: [1], next: null }]],
    ["texts beside something structured", { ...text("the same"), structuredContent: { number: 7 } }, [{ number: 7 }]],
    ["texts alone", text("a"), [{ text: "a" }]],
    ["nothing", {}, []],
  ])("are those of %s", (_, answer, rows) => {
    expect(rowsOfAnswer(answer, asked)).toEqual(rows);
  });

  it.each<[string, unknown, RegExp]>([
    ["no object", "a", /none of the protocol's/],
    ["a list where an object belongs", { structuredContent: [1] }, /none of the protocol's/],
    ["an error", { ...text("no"), isError: true }, /answered with an error/],
    ["an image beside a text", { content: [...text("a").content, { type: "image", data: "aGk=" }] }, /something else than text/],
    ["a link to a resource", { content: [{ type: "resource_link", uri: "file:///etc/passwd" }] }, /something else than text/],
    [
      "a resource beside something structured",
      { content: [{ type: "resource" }], structuredContent: {} },
      /something else than text/,
    ],
    ["too many characters", text("x".repeat(256 * 1024)), /more than 262144 characters/],
    ["the credential", text('it is token-1 "quoted"'), /credential/],
    ["the credential as a key", { structuredContent: { 'token-1 "quoted"': 1 } }, /credential/],
    ["half a character", text("\ud800"), /cannot be kept/],
  ])("are none of %s", (_, answer, message) => {
    expect(() => rowsOfAnswer(answer, asked)).toThrow(
      expect.objectContaining({ code: "record_unavailable", message: expect.stringMatching(message) }),
    );
  });
});
