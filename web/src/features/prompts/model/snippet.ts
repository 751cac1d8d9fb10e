/** Python that creates a prompt and uses it. */
export function firstPromptCode(baseUrl: string): string {
  return `# LANGFUSE_BASE_URL=${baseUrl}, LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY
from langfuse import get_client

langfuse = get_client()
langfuse.create_prompt(
    name="greeting",
    prompt="Hello {{name}}!",
    labels=["production"],
)
prompt = langfuse.get_prompt("greeting")
print(prompt.compile(name="Ada"))`
}
