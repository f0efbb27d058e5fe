import type { Model, Provider, ProviderSource } from "../contract/model.ts";
import type { Vault } from "../contract/ports.ts";
import type { PrivacyFiles, Recogniser } from "../contract/privacy.ts";
import { type IsSigned, readExemptions, refuseUnsigned } from "../guard/privacy/exemptions.ts";
import { createGateway, type GatewayParts } from "./call.ts";
import { openPrivacyParts } from "./open-privacy-parts.ts";
import { openProviders } from "./open-providers.ts";
import { builtInRecogniser } from "./recognisers/built-in.ts";

/** What the door of a deciding process is opened from. */
interface ModelsToOpen extends Omit<GatewayParts, "providers" | "boundary"> {
  readonly listed: readonly (Provider | ProviderSource)[];
  readonly vault: Vault;
  /** The project's name, for which exemptions are signed. */
  readonly project: string;
  /** Left out, the shipped policy holds and no provider is exempt. */
  readonly privacy: PrivacyFiles | undefined;
  /** Says whether an exemption was signed under a key that this process believes; it holds none to sign with. */
  readonly isSigned: IsSigned;
  /** `null` finds no names and addresses; left out, it is the built-in one. */
  readonly recogniser: Recogniser | null | undefined;
}

const nothingSaid: PrivacyFiles = { policy: null, exemptions: null, publicKeys: [], dictionaries: new Map() };

/**
 * Opens the one door to a project's models, behind the privacy boundary. Throws what `openProviders` and `createGateway` throw,
 * `boundary_unsigned` for a provider that is to be sent text as it is without a signed reason, and `definition_invalid` for a privacy
 * policy or exemptions that cannot be read.
 */
export function openModels({
  listed,
  vault,
  project,
  privacy = nothingSaid,
  isSigned,
  recogniser = builtInRecogniser(),
  ...parts
}: ModelsToOpen): Model {
  const providers = openProviders(listed, vault);
  refuseUnsigned({
    project,
    providers: providers.filter(({ isScripted, boundary }) => !isScripted && boundary === "off"),
    exemptions: readExemptions(privacy.exemptions),
    isSigned,
  });
  return createGateway({ ...parts, providers, boundary: openPrivacyParts({ files: privacy, recogniser }) });
}
