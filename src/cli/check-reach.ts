import { z } from "zod";
import type { Project } from "../define/project.ts";
import type { Finding } from "./finding.ts";
import { saidByOwnProcess } from "./own-process.ts";

const form = z.strictObject({ effects: z.array(z.string()), problem: z.string().nullable() });

/** Whether every effect that a capability may propose has hands that can carry it out, asked of the acting half in its own process. */
export async function checkReach({ folder, project }: { folder: string; project: Project }): Promise<readonly Finding[]> {
  const said = await saidByOwnProcess({ args: ["hand-names"], project: folder, what: "the acting half" });
  const { effects: reached, problem } = form.parse(said);
  const named = project.effects.map(({ name }) => name);
  return [
    ...named
      .filter((name) => !reached.includes(name))
      .map((name) =>
        finding(
          "error",
          name,
          "has no hands, so what people sign could never happen",
          "add `implementEffect` for it to hands.ts",
        ),
      ),
    ...reached
      .filter((name) => !named.includes(name))
      .map((name) =>
        finding(
          "hint",
          name,
          "has hands, and no capability proposes it",
          "list it in a capability's `effects`, or take its hands away",
        ),
      ),
    ...(problem === null
      ? []
      : [{ level: "error" as const, about: "hands.ts", problem, fix: "mend it there; `work` refuses to start with it" }]),
  ];
}

function finding(level: Finding["level"], effect: string, problem: string, fix: string): Finding {
  return { level, about: `effect \`${effect}\``, problem, fix };
}
