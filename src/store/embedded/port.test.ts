import { once } from "node:events";
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { choosePort } from "./port.ts";

it("gives the preferred port while it is free, and another one when it is taken", async () => {
  const preferred = await choosePort(undefined);
  expect(await choosePort(preferred)).toBe(preferred);
  const other = createServer().listen(preferred, "127.0.0.1");
  await once(other, "listening");
  expect(await choosePort(preferred)).not.toBe(preferred);
  other.close();
});
