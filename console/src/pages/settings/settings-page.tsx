import type { ReactNode } from "react";
import { useApi } from "../../api/api.tsx";
import { Button } from "../../parts/button.tsx";
import { PageHeading } from "../../parts/page-heading.tsx";
import { Time } from "../../parts/time.tsx";
import { type Settings, saveSettings, useSettings } from "../../shell/settings.ts";
import { KeySettings } from "./key-settings.tsx";
import css from "./settings.module.css";

/** What a person sets for this browser, and what their sign-in is. */
export function SettingsPage(): ReactNode {
  return (
    <div className="column">
      <PageHeading title="Settings" aside="kept in this browser" />
      <Theme />
      <SignIn />
      <KeySettings />
      <About />
    </div>
  );
}

const themes: Readonly<Record<Settings["theme"], string>> = { system: "As the system says", light: "Light", dark: "Dark" };

function Theme(): ReactNode {
  const { theme } = useSettings();
  return (
    <section className={css["section"]} aria-labelledby="theme-title">
      <h2 id="theme-title">Theme</h2>
      <fieldset className={css["choices"]} aria-labelledby="theme-title">
        {(["system", "light", "dark"] as const).map((one) => (
          <label key={one}>
            <input type="radio" name="theme" checked={theme === one} onChange={() => saveSettings({ theme: one })} />{" "}
            {themes[one]}
          </label>
        ))}
      </fieldset>
    </section>
  );
}

function SignIn(): ReactNode {
  const { session, client } = useApi();
  const { name, id, tenant, roles, scopes, expiresAt, environment, isDemo } = session;
  const leave = async () => {
    await client.endSession();
    window.location.assign("/sign-in");
  };
  const rows: readonly (readonly [string, ReactNode])[] = [
    ["Name", name],
    ["Id", <code key="id">{id}</code>],
    ["Tenant", tenant],
    ["Environment", isDemo ? `${environment}: anybody who opens the page may sign in here` : environment],
    ["Roles", roles.length === 0 ? "none" : roles.join(", ")],
    ["May be used to", scopes.map((scope) => uses[scope] ?? scope).join(", ")],
    ["Until", expiresAt === null ? "no end was told" : <Time key="until" at={expiresAt} />],
  ];
  return (
    <section className={css["section"]} aria-labelledby="sign-in-title">
      <h2 id="sign-in-title">This sign-in</h2>
      <dl className={`card padded ${css["facts"]}`}>
        {rows.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={css["after"]}>
        <Button onClick={() => void leave()}>Sign out</Button>
      </p>
    </section>
  );
}

const uses: Readonly<Record<string, string>> = { ask: "ask", read: "read", review: "review", sign: "sign", admin: "administer" };

function About(): ReactNode {
  const { session } = useApi();
  return (
    <section className={css["section"]} aria-labelledby="about-title">
      <h2 id="about-title">About</h2>
      <p className="card padded">
        Countersign {session.version}. <a href="/reference">Reference of the HTTP API</a>
        {session.isScripted ? ". Replies here come from a script, not from a model." : ""}
      </p>
    </section>
  );
}
