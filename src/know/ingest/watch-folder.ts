import { type FSWatcher, watch } from "node:fs";

/** Watches a folder. Close it. */
export interface FolderWatch {
  readonly close: () => void;
}

/**
 * Tells of every change below a folder, as far as the system does: what is missed, such as on a network drive, the full comparison finds.
 * A folder that cannot be watched, or not any more, is tried again.
 */
export function watchFolder({
  folder,
  onChange,
  retryMs = 5_000,
}: {
  folder: string;
  onChange: () => void;
  retryMs?: number;
}): FolderWatch {
  let watcher: FSWatcher | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const again = (): void => {
    watcher?.close();
    watcher = null;
    if (isClosed) return;
    clearTimeout(timer);
    timer = setTimeout(open, retryMs);
    timer.unref();
  };
  const open = (): void => {
    try {
      watcher = watch(folder, { recursive: true, persistent: false }, () => onChange());
      watcher.on("error", again);
    } catch {
      again();
    }
  };
  open();
  return {
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      watcher?.close();
    },
  };
}
