import { Callout } from "@/components/ui/callout";
import { MODEL_SECRETS } from "@/lib/secrets/reference";

type Props = {
  readonly title: string;
  readonly variables: readonly string[];
  /** Keys of model providers included. */
  readonly secrets: readonly string[];
  readonly blocks: boolean;
};

type StoredProps = { readonly lack: string; readonly names: readonly string[]; readonly place: string };

const MissingStored = ({ lack, names, place }: StoredProps) =>
  names.length === 0 ? null : (
    <Callout kind="waiting" title={`${lack}${names.length === 1 ? "" : "s"} ${names.join(", ")}`}>
      <p>
        No run starts there until an admin stores {names.length === 1 ? "it" : "them"} under {place}.
      </p>
    </Callout>
  );

export const MissingSettings = ({ title, variables, secrets, blocks }: Props) => (
  <>
    {variables.length === 0 ? null : (
      <Callout kind={blocks ? "refused" : "waiting"} title={`${title} lacks ${variables.map((name) => `env.${name}`).join(", ")}`}>
        <p>
          {blocks ? "" : "No run starts there without. "}An admin can define {variables.length === 1 ? "it" : "them"} under Environments.
        </p>
      </Callout>
    )}
    <MissingStored
      lack={`${title} has no value for the secret`}
      names={secrets.filter((name) => !name.startsWith(MODEL_SECRETS))}
      place="MCP servers"
    />
    <MissingStored
      lack={`${title} has no key for the model provider`}
      names={secrets.flatMap((name) => (name.startsWith(MODEL_SECRETS) ? [name.slice(MODEL_SECRETS.length)] : []))}
      place="Models"
    />
  </>
);
