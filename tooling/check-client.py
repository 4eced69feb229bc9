"""Makes a client from the OpenAPI document of a running service, and calls the service with it."""

import asyncio
import sys

import httpx2
from fastmcp import Client, FastMCP
from fastmcp.exceptions import ToolError
from openapi_pydantic import OpenAPI

METHODS = ("get", "post", "put", "delete")


async def main(url: str) -> None:
    async with httpx2.AsyncClient(base_url=url) as http:
        document = (await http.get("/openapi.json")).json()
        OpenAPI.model_validate(document)
        names = {path[method]["operationId"] for path in document["paths"].values() for method in METHODS if method in path}
        async with Client(FastMCP.from_openapi(openapi_spec=document, client=http)) as client:
            made = {tool.name for tool in await client.list_tools()}
            assert made == names, f"operations without a method: {names - made}"
            await smoke(client)
    print(f"A Python client with {len(made)} methods was made from the OpenAPI document, and works.")


async def smoke(client: Client) -> None:
    """Reads, writes and fails once. The client checks every answer against its schema."""

    async def call(name: str, **arguments: object) -> dict:
        return (await client.call_tool(name, arguments)).structured_content

    assert (await call("getHealth"))["status"] in ("ok", "starting", "degraded")
    assert (await call("getConfig"))["platformName"] == "Rookery"
    assert (await call("listTweets", mode="new", limit=5))["meta"]["limit"] == 5
    post = await call("createLocalPost", handle="snake", text="Hello from another language")
    assert (await call("getLocalPost", id=post["id"]))["text"] == "Hello from another language"
    wallet = "0x" + "1" * 40
    challenge = await call("createChallenge", purpose="recover", walletAddress=wallet)
    assert wallet in challenge["message"].lower()
    try:
        await call("getTweet", id="nonsense")
    except ToolError as error:
        assert "TWEET_NOT_FOUND" in str(error), error
    else:
        raise AssertionError("A tweet that does not exist was found")


asyncio.run(main(sys.argv[1]))
