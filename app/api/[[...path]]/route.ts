import { respondUnknownPath } from "@/server/web/unknown-path";

export {
  respondUnknownPath as DELETE,
  respondUnknownPath as GET,
  respondUnknownPath as HEAD,
  respondUnknownPath as OPTIONS,
  respondUnknownPath as PATCH,
  respondUnknownPath as POST,
  respondUnknownPath as PUT,
};
