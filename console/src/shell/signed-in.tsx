import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { isCountersignError } from "../../../src/contract/errors.ts";
import { ApiProvider } from "../api/api.tsx";
import { readSession } from "../api/client.ts";
import { ErrorState, LoadingRows } from "../parts/notice.tsx";

/** Shows the console to whoever has signed in; everybody else is led to do so, and back afterwards. */
export function SignedIn({ children }: { readonly children: ReactNode }): ReactNode {
  const { data, error, refetch } = useQuery({
    queryKey: ["session"],
    queryFn: readSession,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const isOut = isCountersignError(error, "unauthenticated");
  useEffect(() => {
    if (isOut) toSignIn();
  }, [isOut]);
  if (isOut) return null;
  if (data !== undefined) return <ApiProvider session={data}>{children}</ApiProvider>;
  if (error !== null) return <ErrorState error={error} what="Your sign-in" again={() => void refetch()} />;
  return <LoadingRows what="your sign-in" rows={1} />;
}

function toSignIn(): void {
  const { pathname, search } = window.location;
  const next = pathname === "/" && search === "" ? "" : `?${new URLSearchParams({ next: `${pathname}${search}` })}`;
  window.location.assign(`/sign-in${next}`);
}
