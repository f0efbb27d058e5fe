import type { ChangeTopic } from "../../contract/changes.ts";
import type { Principal } from "../../contract/principal.ts";
import type { Desk } from "../../desk.ts";

/** Somebody who listens to one tenant's changes. */
export interface Listener {
  readonly principal: () => Principal;
  /** Told where in the order of commits they are, and which lists changed up to there. */
  readonly tell: (position: string, topics: readonly ChangeTopic[]) => void;
}

/** Looks for changes once for all who listen to a tenant, and while anybody does. */
export interface Watch {
  /** Begins telling somebody, who heard everything up to `since`; gives the place from which they are told, and how to stop it. */
  readonly join: (tenant: string, listener: Listener, since: string | null) => Promise<{ position: string; leave: () => void }>;
  readonly close: () => void;
}

interface Watcher {
  readonly listeners: Set<Listener>;
  readonly begun: Promise<void>;
  since: string;
  ledger: string;
  timer: NodeJS.Timeout | null;
}

/** Opens it; `everyMs` is how often one tenant is looked at. A look that fails is made again: what was not told is told then. */
export function createWatch({ desk, everyMs }: { desk: Pick<Desk, "changes" | "heard">; everyMs: number }): Watch {
  const watchers = new Map<string, Watcher>();
  const look = async (tenant: string, watcher: Watcher): Promise<void> => {
    try {
      const changes = await desk.changes({ tenant, since: watcher.since });
      for (const listener of watcher.listeners) {
        const topics = desk.heard({ principal: listener.principal(), changes, before: watcher.ledger });
        listener.tell(changes.position, topics);
      }
      watcher.since = changes.position;
      watcher.ledger = changes.ledger;
    } catch {
      // The database is away for a while; listeners stay, and the place to go on from too.
    }
    if (watchers.get(tenant) === watcher) watcher.timer = setTimeout(() => void look(tenant, watcher), everyMs);
  };
  const begin = (tenant: string): Watcher => {
    const first = desk.changes({ tenant, since: null });
    const watcher: Watcher = { listeners: new Set(), begun: first.then(started), since: "0", ledger: "", timer: null };
    function started({ position, ledger }: Awaited<typeof first>): void {
      Object.assign(watcher, { since: position, ledger });
      if (watchers.get(tenant) === watcher) watcher.timer = setTimeout(() => void look(tenant, watcher), everyMs);
    }
    watchers.set(tenant, watcher);
    return watcher;
  };
  const end = (tenant: string, watcher: Watcher): void => {
    if (watchers.get(tenant) === watcher) watchers.delete(tenant);
    if (watcher.timer !== null) clearTimeout(watcher.timer);
  };
  return {
    join: async (tenant, listener, since) => {
      const watcher = watchers.get(tenant) ?? begin(tenant);
      watcher.listeners.add(listener);
      const leave = () => {
        watcher.listeners.delete(listener);
        if (watcher.listeners.size === 0) end(tenant, watcher);
      };
      try {
        await watcher.begun;
        // From here on the watcher tells what comes. What lies between is told besides, so that nothing falls between the two.
        const { since: position } = watcher;
        if (since !== null && since !== position) {
          const changes = await desk.changes({ tenant, since });
          listener.tell(changes.position, desk.heard({ principal: listener.principal(), changes, before: null }));
        }
        return { position, leave };
      } catch (thrown) {
        leave();
        throw thrown;
      }
    },
    close: () => {
      for (const [tenant, watcher] of watchers) end(tenant, watcher);
    },
  };
}
