import { type SettingPlace, type SettingRow, settingRows } from "./setting-rows.ts";

/** Where a setting comes from: `start` is what `start` itself says or makes, `nobody` that it is not set. */
export type SettingSource =
  | "flag"
  | "environment"
  | "vault file"
  | "file"
  | "file and environment"
  | "start"
  | "default"
  | "nobody";

/** One setting as it is in force. */
export interface SettingInForce {
  readonly name: string;
  readonly isSet: boolean;
  /** What may be shown of it; `null` for a secret and for what is not set. */
  readonly value: string | null;
  readonly source: SettingSource;
  readonly note: string | null;
}

/** What was said for this command. */
export interface SaidSettings {
  readonly env: NodeJS.ProcessEnv;
  /** Values of options that were given on the command line, by the variable that they stand for. */
  readonly flags: Readonly<Record<string, string>>;
  /** The names that the vault file keeps for processes of Countersign. */
  readonly inVault: readonly string[];
}

/** Every setting, as `start` hands it to the processes of an installation; where nothing is installed, as the environment says it. */
export function settingsInForce(place: SettingPlace, said: SaidSettings): readonly SettingInForce[] {
  return Object.entries(settingRows).map(([name, row]) => {
    const { text, source, note = null } = found({ name, row, place, said });
    const isSet = text !== null || source === "vault file" || (source === "start" && place.settings !== null);
    return { name, isSet, value: text === null ? null : shown(row, text), source, note };
  });
}

interface Found {
  readonly text: string | null;
  readonly source: SettingSource;
  readonly note?: string;
}

interface Asked {
  readonly name: string;
  readonly row: SettingRow;
  readonly place: SettingPlace;
  readonly said: SaidSettings;
}

function found({ name, row, place, said }: Asked): Found {
  const flag = said.flags[name];
  if (flag !== undefined) return { text: flag, source: "flag" };
  if (said.inVault.includes(name)) return { text: null, source: "vault file" };
  const given = said.env[name]?.trim() ?? "";
  return (
    ofInstallation({ row, place, given }) ?? (given === "" ? usual(name, row, place) : { text: given, source: "environment" })
  );
}

/** What an installation keeps, and what `start` says; `null` where neither has the word. */
function ofInstallation({ row, place, given }: Pick<Asked, "row" | "place"> & { given: string }): Found | null {
  const { settings } = place;
  // Whoever says it where nothing is installed runs the processes one by one, without `start`.
  if (settings === null && given !== "") return null;
  const isOver = given === "" ? {} : { note: "the environment says it too, and `start` passes over that" };
  const kept = settings === null ? undefined : row.kept?.(settings);
  if (kept !== undefined) {
    if (given !== "" && row.beside === "environment_first") return null;
    if (given !== "" && row.beside === "both") return { text: `${kept},${given}`, source: "file and environment" };
    return { text: kept, source: "file", ...isOver };
  }
  const byStart = row.byStart?.(place);
  if (byStart === undefined) return null;
  return { text: byStart, source: "start", ...(byStart === null ? { note: "made by each `start`" } : {}), ...isOver };
}

function usual(name: string, row: SettingRow, place: SettingPlace): Found {
  const text = row.usual?.(place) ?? null;
  if (text !== null) return { text, source: "default" };
  if (name === "DATABASE_URL") return { text, source: "default", note: "the embedded database" };
  return { text, source: "nobody", ...(row.kept === undefined ? {} : { note: "the first `start` makes it" }) };
}

function shown({ shows }: SettingRow, text: string): string | null {
  if (shows === "secret") return null;
  return shows === "value" ? text : shownAddress(text);
}

/** An address without user, password and query, any of which may be a credential. */
function shownAddress(text: string): string {
  const url = URL.parse(text);
  return url === null ? text : `${url.protocol}//${url.host}${url.pathname === "/" ? "" : url.pathname}`;
}
