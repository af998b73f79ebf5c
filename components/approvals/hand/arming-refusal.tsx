import { Callout } from "@/components/ui/callout";

/** Why a key armed nothing. */
export const ArmingRefusal = ({ text }: { readonly text: string }) =>
  text === "" ? null : <Callout kind="waiting" alert title={`Nothing is armed. ${text}`} className="mb-2" />;
