import { z } from "zod";
import { channelSchema } from "@/lib/notifications/setting";

export const channelInput = z.strictObject({ channel: channelSchema });
