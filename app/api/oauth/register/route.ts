export { handleRegistration as POST } from "@/server/oauth/register";
