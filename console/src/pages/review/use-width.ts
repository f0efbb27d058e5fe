import { useSyncExternalStore } from "react";

/** How much room there is: three columns, two, or one step after the other. */
export type Width = "wide" | "middle" | "phone";

const wide = "(min-width: 1280px)";
const phone = "(max-width: 899px)";

/** The room there is, told anew when it changes. */
export function useWidth(): Width {
  return useSyncExternalStore(subscribe, widthNow);
}

function subscribe(tell: () => void): () => void {
  const lists = [window.matchMedia(wide), window.matchMedia(phone)];
  for (const list of lists) list.addEventListener("change", tell);
  return () => {
    for (const list of lists) list.removeEventListener("change", tell);
  };
}

function widthNow(): Width {
  if (window.matchMedia(phone).matches) return "phone";
  return window.matchMedia(wide).matches ? "wide" : "middle";
}
