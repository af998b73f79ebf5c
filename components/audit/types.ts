import type { Outputs } from "@/components/trpc/outputs";

export type TrustRow = Outputs["trust"]["list"]["events"][number];
