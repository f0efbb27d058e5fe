import { vi } from "vitest";

/** The one JSON object that a command prints which runs in this process. */
export async function printed(command: Promise<void>): Promise<Record<string, unknown>> {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    await command;
    return JSON.parse(String(log.mock.calls.at(-1)?.[0]));
  } finally {
    log.mockRestore();
  }
}
