import { type ReactNode, useEffect, useRef } from "react";
import { useApi } from "../api/api.tsx";
import { Button } from "../parts/button.tsx";
import { keyMap } from "./key-map.ts";
import { openPages } from "./page-list.ts";
import { useSettings } from "./settings.ts";

/** The keyboard map, over the page. */
export function KeyHelp({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const { session } = useApi();
  const { keys, lettersOff } = useSettings();
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="keys-title" className="dialog">
      <h2 id="keys-title">Keys</h2>
      {lettersOff ? <p className="meta">Letters are switched off in Settings.</p> : null}
      <div className="key-groups">
        {keyMap.map(({ where, rows }) => (
          <section key={where}>
            <h3>{where}</h3>
            <dl>
              {rows.map(({ key, does }) => (
                <KeyRow key={key} name={keys[key] ?? key} does={does} />
              ))}
            </dl>
          </section>
        ))}
        <section>
          <h3>Go to</h3>
          <dl>
            {openPages(session.may)
              .flat()
              .map(({ letter, name }) => (
                <KeyRow key={letter} name={`g ${letter}`} does={name} />
              ))}
          </dl>
        </section>
      </div>
      <p>
        <Button keyName="esc" onClick={onClose}>
          Close
        </Button>
      </p>
    </dialog>
  );
}

function KeyRow({ name, does }: { readonly name: string; readonly does: string }): ReactNode {
  return (
    <div className="key-row">
      <dt>
        <kbd className="keycap">{name}</kbd>
      </dt>
      <dd>{does}</dd>
    </div>
  );
}
