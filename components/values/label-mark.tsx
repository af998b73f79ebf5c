import { Mark } from "@/components/ui/marks/mark";
import type { MarkKind } from "@/components/ui/marks/marks";
import type { Integrity } from "@/lib/graph/label";

const MARK_OF = { trusted: "clean", reviewed: "reviewed", untrusted: "tainted" } as const satisfies Record<Integrity, MarkKind>;

type Props = { readonly integrity: Integrity; readonly shapeOnly?: boolean; readonly bare?: boolean };

export const LabelMark = ({ integrity, ...rest }: Props) => <Mark kind={MARK_OF[integrity]} {...rest} />;
