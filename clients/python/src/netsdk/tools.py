"""The tools of ``netd mcp`` for agent frameworks, within the limits that the owner sets.

A separate process holds the session key, signs, asks the owner and logs spending. This module speaks MCP to it. The
functions at the end adapt the tools to frameworks, which they import when called.
"""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any

import anyio

from .arguments import did_you_mean
from .errors import NetsdkError
from .testing.lab_process import find_netd

PROTOCOL = "2025-11-25"
#: Characters of the process's standard error that a message quotes at most.
MOST_WORDS = 4_000


class AgentToolsError(NetsdkError):
    """The tools could not be opened, a tool is unknown, or the process has ended.

    :ivar code: TOOLS_FAILED, or TOOL_UNKNOWN
    :ivar tools: names of the session's tools, if known
    """

    code = "TOOLS_FAILED"

    def __init__(self, message: str, tools: Sequence[str] = (), code: str | None = None) -> None:
        super().__init__(message)
        self.code = code or self.code
        self.tools = list(tools)


@dataclass(frozen=True)
class AgentTool:
    """A tool of ``netd mcp`` that the session may use."""

    name: str
    title: str
    description: str
    input_schema: dict[str, Any]


class AgentTools:
    """The process ``netd mcp`` under a session, until the ``with`` block ends.

    :param session: session file of ``netd sessions grant``; never the agent's key file
    :param url: the node; default ``$NET_URL``, else http://127.0.0.1:8420
    :param ask_above: total that may be spent without asking, such as ``'5 NET'``; default nothing
    :param policy: a NET-MCP-POLICY/1 file
    :param keys: key directory; the state of the session is stored next to it
    :param approve: asks the owner about a spending; without it, spendings that need approval are refused
    :param netd: the program; default ``$NETD``, else netd on the PATH or in node_modules
    :raises AgentToolsError: if netd fails
    :raises NetworkStartError: if netd is not found
    """

    def __init__(
        self,
        session: str | Path,
        *,
        url: str | None = None,
        ask_above: str | None = None,
        policy: str | Path | None = None,
        keys: str | Path | None = None,
        approve: Callable[[str], bool] | None = None,
        netd: str | Path | None = None,
    ) -> None:
        options = {"--url": url, "--ask-above": ask_above, "--policy": policy, "--key-dir": keys}
        further = [str(part) for name, value in options.items() if value is not None for part in (name, value)]
        self._process = subprocess.Popen(  # noqa: S603 - a list, and no shell
            [find_netd(netd), "mcp", "--session", str(session), *further],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        self._approve = approve
        self.tools: tuple[AgentTool, ...] = ()
        self._lock = threading.Lock()
        self._waiting: dict[int, Future[dict[str, Any]]] = {}
        self._asked = 0
        self._is_over = False
        self._errors = ""
        self._readers = [threading.Thread(target=read, daemon=True) for read in (self._read_errors, self._read_lines)]
        for reader in self._readers:
            reader.start()
        try:
            begin = {
                "protocolVersion": PROTOCOL,
                "capabilities": {"elicitation": {"form": {}}} if approve else {},
                "clientInfo": {"name": "netsdk", "version": "1"},
            }
            #: Text for the system prompt: who the agent is, and which text is untrusted.
            self.instructions = str(self._request("initialize", begin)["instructions"])
            self._send({"method": "notifications/initialized"})
            self.tools = tuple(
                AgentTool(tool["name"], tool["title"], tool["description"], tool["inputSchema"])
                for tool in self._request("tools/list", {})["tools"]
            )
        except BaseException:
            self.stop()
            raise

    def call(self, name: str, arguments: dict[str, Any] | None = None) -> str:
        """Calls a tool. A refusal is returned as text that says what to do instead.

        :returns: text for the model; text written by other agents is marked
        :raises AgentToolsError: if the tool is unknown, or the process has ended
        """
        names = [tool.name for tool in self.tools]
        if name not in names and not self._is_over:
            hint = did_you_mean(name, names)
            message = f"the session has no tool {name!r}{hint}; it has {', '.join(names)}"
            raise AgentToolsError(message, names, "TOOL_UNKNOWN")
        answer = self._request("tools/call", {"name": name, "arguments": arguments or {}})
        return "\n".join(part.get("text", "") for part in answer["content"])

    async def call_async(self, name: str, arguments: dict[str, Any] | None = None) -> str:
        """Calls a tool like :meth:`call`, in asyncio."""
        return await anyio.to_thread.run_sync(self.call, name, arguments)

    def stop(self) -> None:
        """Stops the process. Returns once pending work is on disk."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            pass  # The process has ended already.
        self._process.wait()
        for reader in self._readers:
            reader.join()
        for pipe in (self._process.stdout, self._process.stderr):
            assert pipe is not None
            pipe.close()

    def __enter__(self) -> AgentTools:
        """Returns the tools themselves."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stops the process."""
        self.stop()

    def _request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        answer: Future[dict[str, Any]] = Future()
        with self._lock:
            if self._is_over:
                raise self._ended()
            self._asked += 1
            asked = self._asked
            self._waiting[asked] = answer
        self._send({"id": asked, "method": method, "params": params})
        return answer.result()

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            with self._lock:
                self._process.stdin.write(json.dumps({"jsonrpc": "2.0"} | message) + "\n")
                self._process.stdin.flush()
        except (BrokenPipeError, ValueError):
            pass  # _read_lines reports the end of the process to pending calls.

    def _ended(self) -> AgentToolsError:
        return self._error(f"netd mcp has ended: {self._errors.strip()}")

    def _error(self, message: str) -> AgentToolsError:
        return AgentToolsError(message, [tool.name for tool in self.tools])

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._errors = (self._errors + line)[-MOST_WORDS:]

    def _read_lines(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            message = json.loads(line)
            if "method" in message:
                if "id" in message:
                    threading.Thread(target=self._answer, args=(message,), daemon=True).start()
                continue
            answer = self._waiting.pop(message["id"])
            if "error" in message:
                answer.set_exception(self._error(message["error"]["message"]))
            else:
                answer.set_result(message["result"])
        self._readers[0].join()
        with self._lock:
            self._is_over = True
        for answer in self._waiting.values():
            answer.set_exception(self._ended())

    def _answer(self, message: dict[str, Any]) -> None:
        if message["method"] != "elicitation/create" or self._approve is None:
            self._send({"id": message["id"], "error": {"code": -32601, "message": "is not answered here"}})
            return
        try:
            is_approved = self._approve(str(message["params"]["message"]))
        except Exception:  # A failure is not consent.
            is_approved = False
        accepted = {"action": "accept", "content": {"approve": True}}
        self._send({"id": message["id"], "result": accepted if is_approved else {"action": "decline"}})


def open_tools(session: str | Path, **options: Any) -> AgentTools:
    """Opens the tools of a session, with the options of :class:`AgentTools`."""
    return AgentTools(session, **options)


def openai_tools(tools: AgentTools) -> list[Any]:
    """Adapts the tools to the OpenAI Agents SDK: ``Agent(tools=openai_tools(tools))``.

    :raises ImportError: if openai-agents is not installed
    """
    function_tool = _of("agents", "FunctionTool", "openai-agents")

    def made(tool: AgentTool) -> Any:
        async def run(_context: Any, arguments: str) -> str:
            return await tools.call_async(tool.name, json.loads(arguments or "{}"))

        # Strict schemas allow no optional members.
        return function_tool(tool.name, tool.description, tool.input_schema, run, strict_json_schema=False)

    return [made(tool) for tool in tools.tools]


def langchain_tools(tools: AgentTools) -> list[Any]:
    """Adapts the tools to LangChain and LangGraph: ``model.bind_tools(langchain_tools(tools))``.

    :raises ImportError: if langchain-core is not installed
    """
    structured_tool = _of("langchain_core.tools", "StructuredTool", "langchain-core")

    def made(tool: AgentTool) -> Any:
        def run(**arguments: Any) -> str:
            return tools.call(tool.name, arguments)

        async def run_async(**arguments: Any) -> str:
            return await tools.call_async(tool.name, arguments)

        return structured_tool(
            name=tool.name,
            description=tool.description,
            args_schema=tool.input_schema,
            func=run,
            coroutine=run_async,
        )

    return [made(tool) for tool in tools.tools]


def pydantic_ai_tools(tools: AgentTools) -> list[Any]:
    """Adapts the tools to Pydantic AI: ``Agent(model, tools=pydantic_ai_tools(tools))``.

    :raises ImportError: if pydantic-ai is not installed
    """
    tool_class = _of("pydantic_ai", "Tool", "pydantic-ai-slim")

    def made(tool: AgentTool) -> Any:
        async def run(**arguments: Any) -> str:
            return await tools.call_async(tool.name, arguments)

        return tool_class.from_schema(run, tool.name, tool.description, tool.input_schema)

    return [made(tool) for tool in tools.tools]


def _of(module: str, name: str, package: str) -> Any:
    try:
        return getattr(import_module(module), name)
    except ImportError as error:
        raise ImportError(f"this needs the package {package}: pip install {package}") from error
