import { API_PATH } from "@/lib/api/routes";
import { ownOrigin } from "@/server/own-origin";

/** For systems that can send no header. */
export const getWaitUrl = (token: string): string => `${ownOrigin()}${API_PATH}/waits/${token}`;
