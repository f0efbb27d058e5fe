import "./styles/tokens.css";
import "./styles/ground.css";
import "./styles/parts.css";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createConsoleRouter } from "./router.tsx";
import { applyTheme } from "./shell/settings.ts";
import { SignedIn } from "./shell/signed-in.tsx";

const queries = new QueryClient({
  defaultOptions: {
    // The desk says what has changed; until then what was read holds.
    queries: { staleTime: 30_000, retry: 1, refetchOnWindowFocus: false, networkMode: "always" },
    mutations: { retry: 0, networkMode: "always" },
  },
});

const place = document.getElementById("console");
if (place !== null) {
  applyTheme();
  const router = createConsoleRouter();
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <SignedIn>
          <RouterProvider router={router} />
        </SignedIn>
      </QueryClientProvider>
    </StrictMode>,
  );
}
