import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Button, KeyCap } from "../../parts/button.tsx";
import { keyMap } from "../../shell/key-map.ts";
import { saveSettings, useSettings } from "../../shell/settings.ts";
import { tell } from "../../shell/told.tsx";
import { refusal, withKey, withoutKey } from "./key-choice.ts";
import css from "./settings.module.css";

/** Letters off, and another key for each that can have one. */
export function KeySettings(): ReactNode {
  const { lettersOff, keys } = useSettings();
  const isChanged = Object.keys(keys).length > 0;
  return (
    <section className={css["section"]} aria-labelledby="keys-settings-title">
      <h2 id="keys-settings-title">Keys</h2>
      <label className={css["switch"]}>
        <input type="checkbox" checked={lettersOff} onChange={(event) => saveSettings({ lettersOff: event.target.checked })} />{" "}
        Single letters do nothing
      </label>
      <p className="meta">
        Everything can be done with buttons and links as well. Other keys, such as enter, esc and the arrows, stay.
      </p>
      <div className={`table-frame ${css["keys"]}`}>
        <table className="rows">
          <caption className="hidden">Keys that can be changed</caption>
          <thead>
            <tr>
              <th scope="col">What it does</th>
              <th scope="col">Where</th>
              <th scope="col">Key</th>
            </tr>
          </thead>
          <tbody>
            {keyMap.flatMap(({ where, rows }) =>
              rows
                .filter(({ key }) => key.length === 1)
                .map(({ key, does }) => <KeyRow key={key} name={key} does={does} where={where} />),
            )}
          </tbody>
        </table>
      </div>
      {isChanged ? (
        <p className={css["after"]}>
          <Button onClick={() => saveSettings({ keys: {} })}>Give all keys back</Button>
        </p>
      ) : null}
    </section>
  );
}

function KeyRow({ name, does, where }: { readonly name: string; readonly does: string; readonly where: string }): ReactNode {
  const { keys } = useSettings();
  const [isOpen, setIsOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  const own = keys[name];
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return (
    <tr>
      <th scope="row">{does}</th>
      <td className="meta">{where}</td>
      <td>
        <span className={css["key-cell"]}>
          <KeyCap>{own ?? name}</KeyCap>
          <span className="hidden">{own ?? name}</span>
          {isOpen ? (
            <KeyField name={name} onDone={() => setIsOpen(false)} />
          ) : (
            <button
              ref={opener}
              type="button"
              className="button small"
              onClick={() => setIsOpen(true)}
              aria-label={`Change the key for ${does}`}
            >
              Change…
            </button>
          )}
          {own === undefined || isOpen ? null : (
            <button
              type="button"
              className="link"
              onClick={() => saveSettings({ keys: withoutKey(keys, name) })}
              aria-label={`Give ${name} back to ${does}`}
            >
              Back to {name}
            </button>
          )}
        </span>
      </td>
    </tr>
  );
}

/** Takes the next key that is pressed. */
function KeyField({ name, onDone }: { readonly name: string; readonly onDone: () => void }): ReactNode {
  const { keys } = useSettings();
  const [why, setWhy] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const take = (event: KeyboardEvent) => {
    if (event.key === "Tab" || event.key === "Shift" || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") return onDone();
    const refused = refusal(keys, { name, pressed: event.key });
    if (refused !== null) return setWhy(refused);
    saveSettings({ keys: withKey(keys, { name, pressed: event.key }) });
    tell(`The key is ${event.key} now.`);
    onDone();
  };
  return (
    <>
      <input
        ref={field}
        className={`field ${css["press"]}`}
        readOnly
        value=""
        placeholder="Press a key"
        aria-label={`Press the new key in place of ${name}; escape leaves it as it is`}
        onKeyDown={take}
        onBlur={onDone}
      />
      {why === null ? null : (
        <span className="tone-wait" role="alert">
          {why}
        </span>
      )}
    </>
  );
}
