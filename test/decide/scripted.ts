import type { Model, Provider, ProviderRequest } from "../../src/contract/model.ts";
import { createGateway } from "../../src/gateway/call.ts";
import { systemDeadline } from "../../src/store/clock.ts";
import { fixedClock, type ScriptLine, scriptedProvider, testTime } from "../../src/testing/index.ts";

/** The real gateway over a script, and what the script was sent. */
export interface Scripted {
  readonly model: Model;
  readonly sent: readonly ProviderRequest[];
}

/** Makes the real gateway over a script that gives these replies, by attempt, to whatever it is asked to decide. */
export function deciding(...replies: readonly string[]): Scripted {
  return scripted([{ purpose: "decide", when: /./, replies }]);
}

/** Makes the real gateway over a script. */
export function scripted(lines: readonly ScriptLine[]): Scripted {
  const sent: ProviderRequest[] = [];
  const script = scriptedProvider({ name: "scripted", lines });
  const provider: Provider = {
    ...script,
    complete: (request, cancel) => {
      sent.push(request);
      return script.complete(request, cancel);
    },
  };
  return {
    model: createGateway({ providers: [provider], clock: fixedClock(testTime), deadline: systemDeadline, random: () => 0 }),
    sent,
  };
}
