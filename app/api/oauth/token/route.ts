export { handleToken as POST } from "@/server/oauth/token";
