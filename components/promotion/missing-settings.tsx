import { Callout } from "@/components/ui/callout";

type Props = {
  readonly title: string;
  readonly variables: readonly string[];
  readonly secrets: readonly string[];
  readonly blocks: boolean;
};

export const MissingSettings = ({ title, variables, secrets, blocks }: Props) => (
  <>
    {variables.length === 0 ? null : (
      <Callout kind={blocks ? "refused" : "waiting"} title={`${title} lacks ${variables.map((name) => `env.${name}`).join(", ")}`}>
        <p>
          {blocks ? "" : "No run starts there without. "}An admin can define {variables.length === 1 ? "it" : "them"} under Environments.
        </p>
      </Callout>
    )}
    {secrets.length === 0 ? null : (
      <Callout kind="waiting" title={`${title} has no value for the secret${secrets.length === 1 ? "" : "s"} ${secrets.join(", ")}`}>
        <p>No run starts there until an admin stores {secrets.length === 1 ? "it" : "them"} under MCP servers.</p>
      </Callout>
    )}
  </>
);
