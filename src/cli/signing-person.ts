import { userInfo } from "node:os";
import { CountersignError } from "../contract/errors.ts";
import { readSigningKey, type SigningKey } from "../store/signature.ts";
import { changeSettings } from "./settings.ts";

/** Who runs this command, by their login. Throws `bad_request` where it has no name. */
export function whoRuns(): string {
  try {
    return userInfo().username;
  } catch (cause) {
    throw new CountersignError("bad_request", "this login has no name; say who it is with --by", { cause });
  }
}

/** The key under which a person signs what the deciding half may do: that of the environment, else this installation's own. */
export async function peoplesKey(directory: string): Promise<SigningKey> {
  const own = process.env["COUNTERSIGN_PRIVACY_KEY"] ?? "";
  return readSigningKey(own === "" ? (await changeSettings(directory, (known) => known)).privacyKeys.secret : own);
}
