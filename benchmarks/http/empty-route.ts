// The least that an answer over HTTP costs here: the same server and router, and nothing behind them.
import { Hono } from "hono";
import { listen } from "../../src/server/listen.ts";

const app = new Hono().post("/", async (context) => {
  await context.req.text();
  return context.json({});
});
const { url, close } = await listen({ app, host: "127.0.0.1", port: 0 });
process.once("SIGTERM", () => void close().then(() => process.exit(0)));
process.stdout.write(`ready ${url}\n`);
