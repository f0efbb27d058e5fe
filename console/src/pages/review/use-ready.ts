import { useEffect, useRef } from "react";

const guardMs = 400;

/** Says whether an item has been painted for 400 ms: what was pressed before was not meant for it. */
export function useReady(id: string): () => boolean {
  const painted = useRef({ id: "", at: 0 });
  useEffect(() => {
    painted.current = { id, at: performance.now() };
  }, [id]);
  return () => painted.current.id === id && performance.now() - painted.current.at >= guardMs;
}
