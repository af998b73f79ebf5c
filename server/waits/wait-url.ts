import { API_PATH } from "@/lib/api/routes";
import { ownOrigin } from "@/server/own-origin";

/** Address that takes the answer, for systems that can send no header. */
export const getWaitUrl = (token: string): string => `${ownOrigin()}${API_PATH}/waits/${token}`;
