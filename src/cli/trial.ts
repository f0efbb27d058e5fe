import { appendFileSync } from "node:fs";
import { z } from "zod";
import { CountersignError } from "../contract/errors.ts";
import type { Trial } from "../contract/trial.ts";
import type { Project } from "../define/project.ts";
import { type OtherModel, withModel } from "../define/with-model.ts";

const modelForm = z.strictObject({
  provider: z.string(),
  id: z.string(),
  effort: z.string().optional(),
  temperature: z.number().optional(),
  maxOutputTokens: z.int().optional(),
});

const trialForm = z.strictObject({
  /** The file to which what is sent to models is written, a line for each request. */
  sent: z.string().min(1),
  /** Another model than the definitions have. */
  model: modelForm.optional(),
  /** The one capability that is asked of it; all where it is left out. */
  capability: z.string().optional(),
});

/** What `eval` tells the decider of a scratch installation. */
export interface TrialSetting {
  readonly sent: string;
  readonly model?: OtherModel | undefined;
  readonly capability?: string | undefined;
}

/**
 * The trial that a decider is part of, and the project as it is tried; no trial and the project as it is where `COUNTERSIGN_TRIAL` is not
 * set. Throws `configuration_invalid` for a setting of another form, and outside a sandbox's environment `demo`.
 */
export function openTrial(project: Project, env: NodeJS.ProcessEnv): { readonly trial: Trial | null; readonly project: Project } {
  const text = env["COUNTERSIGN_TRIAL"] ?? "";
  if (text === "") return { trial: null, project };
  if (env["COUNTERSIGN_ENVIRONMENT"] !== "demo")
    throw invalid("`COUNTERSIGN_TRIAL` is for the scratch installation of `countersign eval`; leave it out here");
  const { sent, model, capability } = read(text);
  return {
    trial: { onSent: (request) => appendFileSync(sent, `${JSON.stringify(request)}\n`, { mode: 0o600 }) },
    // The forms of effort and temperature are checked where the definitions are made anew.
    project: model === undefined ? project : withModel(project, model as OtherModel, capability),
  };
}

function read(text: string): z.infer<typeof trialForm> {
  try {
    return trialForm.parse(JSON.parse(text));
  } catch (cause) {
    throw new CountersignError(
      "configuration_invalid",
      "`COUNTERSIGN_TRIAL` does not have the form that `countersign eval` gives it",
      {
        cause,
      },
    );
  }
}

function invalid(message: string): CountersignError {
  return new CountersignError("configuration_invalid", message);
}
