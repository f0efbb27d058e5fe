import { describe, expect, it } from "vitest";
import { signedHeaders, webhookKeys } from "./signature.ts";

describe("a webhook's signature", () => {
  it("is that of the example in the Standard Webhooks specification's libraries", () => {
    const keys = webhookKeys("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "NAME");
    const [id, at, body] = ["msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330_999, '{"test": 2432232314}'];
    expect(signedHeaders({ id, at, body, keys })).toEqual({
      "webhook-id": id,
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });

  it("is one for each key during a rotation", () => {
    const [one, two] = [1, 2].map((byte) => `whsec_${Buffer.alloc(32, byte).toString("base64")}`);
    const keys = webhookKeys(`${one} ${two}`, "NAME");
    expect(signedHeaders({ id: "i", at: 0, body: "", keys })["webhook-signature"]).toMatch(/^v1,\S{44} v1,\S{44}$/);
  });

  it.each([
    "",
    "secret",
    "whsec_",
    "whsec_c2hvcnQ=",
    "whsec_!!!!",
    `whsec_${Buffer.alloc(65).toString("base64")}`,
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw x",
  ])("is not made with a secret of another form (%j), whose value is not told", (secret) => {
    const make = () => webhookKeys(secret, "NAME");
    expect(make).toThrow(/`NAME` of a webhook has not the form/);
    if (secret.length > 6) expect(make).not.toThrow(secret);
  });
});
