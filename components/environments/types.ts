import type { Outputs } from "@/components/trpc/outputs";

type ShownEnvironments = Outputs["environments"]["list"];
export type ShownEnvironment = ShownEnvironments["environments"][number];
export type ShownRequest = ShownEnvironments["requests"][number];
