import type { Outputs } from "@/components/trpc/outputs";

export type PromotionPreview = Outputs["environments"]["promotions"]["preview"];
