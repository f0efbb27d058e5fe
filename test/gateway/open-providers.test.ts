import { expect, it } from "vitest";
import type { Provider, ProviderSource } from "../../src/contract/model.ts";
import { openProviders } from "../../src/gateway/open-providers.ts";
import { environmentVault } from "../../src/vault/environment.ts";

const provider: Provider = {
  name: "scripted",
  isScripted: true,
  complete: async () => ({ text: "", usage: null, stopReason: "end" }),
};

function source(secret: string | null, opened: (string | null)[]): ProviderSource {
  return {
    name: "model",
    isScripted: false,
    boundary: "off",
    secret,
    open: (key) => {
      opened.push(key);
      return { ...provider, name: "model" };
    },
  };
}

const vault = environmentVault({
  side: "deciding",
  env: { MODEL_KEY: "sk-1" },
  declared: { models: ["MODEL_KEY", "OTHER_KEY"] },
});

it("opens a source with the key of its name, one that wants none without, and leaves an open provider as it is", () => {
  const opened: (string | null)[] = [];
  const providers = openProviders([source("MODEL_KEY", opened), source(null, opened), provider], vault);
  expect(opened).toEqual(["sk-1", null]);
  expect(providers.map(({ name }) => name)).toEqual(["model", "model", "scripted"]);
  expect(providers[2]).toBe(provider);
});

it("refuses a source whose key this process does not have, by the name of the key", () => {
  expect(() => openProviders([source("OTHER_KEY", [])], vault)).toThrow(
    expect.objectContaining({ code: "secret_missing", message: expect.stringContaining("`OTHER_KEY`") }),
  );
});
