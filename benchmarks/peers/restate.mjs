/**
 * Restate as a peer: a service whose handler runs two durable steps, behind one Restate server. `benchmarks/operations` is its only caller.
 *   work   {service}                     serves the service on a free port; answers with the port
 *   fill   {count,services,concurrency}  keeps in mind how many invocations to make; `open {}` begins to make them through the ingress
 *   tell   {}                            says what was done so far; of the one that invokes: how many were answered
 *
 * Each worker serves a service of its own name, and invocations go round the names: the server keeps one connection to a deployment,
 * so that several processes behind one address would leave all of the work to one of them.
 */
import { Agent, request } from "node:http";
import { createServer } from "node:http2";
import { createEndpointHandler, service } from "@restatedev/restate-sdk";
import { cpuMs, serve } from "./serve.mjs";

const done = { applied: 0, verified: 0 };
const target = new Map();
let server = null;
let asked = null;
let agent = null;

await serve(
  {
    work: async ({ service: name }) => {
      const operation = service({ name, handlers: { operation: (context, params) => operate(context, params) } });
      server = createServer(createEndpointHandler({ services: [operation], logger: () => {} }));
      await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
      return { port: server.address().port };
    },
    fill: async (given) => {
      asked = given;
      agent ??= new Agent({ keepAlive: true, maxSockets: given.concurrency });
    },
    open: async () => {
      let started = 0;
      const { count, services, concurrency } = asked;
      const lane = async () => {
        while (started < count) {
          const number = started++;
          await invoke(services[number % services.length], paramsOf(number));
          done.verified += 1;
        }
      };
      // A refused invocation ends the process; the one that asks learns it by the missing answer.
      for (let at = 0; at < concurrency; at += 1) void lane();
    },
    tell: async () => ({ cpuMs: cpuMs(), ...done }),
  },
  async () => {
    agent?.destroy();
    server?.close();
  },
);

async function operate(context, { device, note }) {
  await context.run("apply", () => {
    target.set(device, note);
    done.applied += 1;
    return { targetId: device };
  });
  return context.run("verify", () => {
    if (target.get(device) !== note) throw new Error("applied elsewhere");
    done.verified += 1;
    return { verdict: "complete" };
  });
}

function invoke(name, params) {
  const body = JSON.stringify(params);
  return new Promise((resolve, reject) => {
    const sent = request(`${process.env.PEER_INGRESS_URL}/${name}/operation`, {
      agent,
      method: "POST",
      headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body) },
    });
    sent.once("error", reject);
    sent.once("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => (text += part));
      response.once("error", reject);
      response.once("end", () => (text === '{"verdict":"complete"}' ? resolve() : reject(new Error(`${response.statusCode} ${text}`))));
    });
    sent.end(body);
  });
}

function paramsOf(number) {
  return { device: `lt-${number}`, note: "The battery is swollen; the warranty has run out.", days: 5 };
}
