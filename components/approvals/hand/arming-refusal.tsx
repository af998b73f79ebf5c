import { Callout } from "@/components/ui/callout";

/** Why a key was ignored. */
export const ArmingRefusal = ({ text }: { readonly text: string }) =>
  text === "" ? null : <Callout kind="waiting" alert title={text} className="mb-2" />;
