import { Callout } from "@/components/ui/callout";

export const Unsent = ({ problem }: { readonly problem: string | null }) =>
  problem === null ? null : (
    <Callout kind="refused" alert title={problem}>
      Nothing was sent.
    </Callout>
  );
