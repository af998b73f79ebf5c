import { Callout } from "@/components/ui/callout";

export const ArmingRefusal = ({ text }: { readonly text: string }) =>
  text === "" ? null : <Callout kind="waiting" alert title={text} className="mb-2" />;
