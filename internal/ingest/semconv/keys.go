package semconv

// key identifies an attribute name that some rule reads; 0 is no key.
type key uint8

const keyNone key = 0

// services are the prefixes of the service's own attributes. They are equivalent; if both are sent, the first wins.
var services = [...]string{"langfuse.", "almanac."}

// use determines whether an attribute is kept in metadata.
type use bool

const (
	kept    use = false
	content use = true // stored as input, output or metadata, so not repeated among the attributes
)

// meaning describes an attribute name.
type meaning struct {
	key    key
	family family
	use    use
	alias  bool  // it has a service prefix that yields to the first one
	rest   uint8 // length of the family's prefix
}

// meanings holds every name that a rule reads; keyCount is the number of keys.
var (
	meanings = make(map[string]meaning, 256)
	keyCount key
)

// newKey allocates a key for the given names.
func newKey(use use, names ...string) key {
	if keyCount++; keyCount == keyNone {
		panic("BUG: there are more keys than a key can number")
	}
	for _, name := range names {
		m := familyOf(name)
		m.key, m.use = keyCount, use
		meanings[name] = m
	}
	return keyCount
}

// own and ownContent define keys of the service itself, whose names follow a service prefix; named and namedContent
// define those of the conventions.
func own(name string) key          { return newKey(kept, services[0]+name, services[1]+name) }
func ownContent(name string) key   { return newKey(content, services[0]+name, services[1]+name) }
func named(name string) key        { return newKey(kept, name) }
func namedContent(name string) key { return newKey(content, name) }

// The keys of the service itself.
var (
	keyType                   = own("observation.type")
	keyLevel                  = own("observation.level")
	keyStatusMessage          = own("observation.status_message")
	keyInput                  = ownContent("observation.input")
	keyOutput                 = ownContent("observation.output")
	keyModelName              = own("observation.model.name")
	keyModelParameters        = own("observation.model.parameters")
	keyUsageDetails           = own("observation.usage_details")
	keyCostDetails            = own("observation.cost_details")
	keyCompletionStartTime    = own("observation.completion_start_time")
	keyPromptName             = own("observation.prompt.name")
	keyPromptVersion          = own("observation.prompt.version")
	keyPlainPromptName        = own("prompt.name")
	keyPlainPromptVersion     = own("prompt.version")
	keyVersion                = own("version")
	keyRelease                = own("release")
	keyEnvironment            = own("environment")
	keyTraceName              = own("trace.name")
	keyTraceInput             = ownContent("trace.input")
	keyTraceOutput            = ownContent("trace.output")
	keyTracePublic            = own("trace.public")
	keyPublic                 = own("public")
	keyTraceTags              = own("trace.tags")
	keyTags                   = own("tags")
	keyUserID                 = own("user.id")
	keySessionID              = own("session.id")
	keyAppRoot                = own("internal.is_app_root")
	keyAsRoot                 = own("internal.as_root")
	keyObservationMetadata    = ownContent("observation.metadata")
	keyTraceMetadata          = ownContent("trace.metadata")
	keyMetadata               = own("metadata")
	keyMetadataUserID         = ownContent("observation.metadata.langfuse_user_id")
	keyMetadataSessionID      = ownContent("observation.metadata.langfuse_session_id")
	keyMetadataTags           = ownContent("observation.metadata.langfuse_tags")
	keyTraceMetadataUserID    = ownContent("trace.metadata.langfuse_user_id")
	keyTraceMetadataSessionID = ownContent("trace.metadata.langfuse_session_id")
	keyTraceMetadataTags      = ownContent("trace.metadata.langfuse_tags")
	keyExperimentID           = own("experiment.id")
	keyExperimentName         = own("experiment.name")
	keyExperimentDescription  = own("experiment.description")
	keyExperimentDatasetID    = own("experiment.dataset.id")
	keyExperimentMetadata     = own("experiment.metadata")
	keyItemID                 = own("experiment.item.id")
	keyItemVersion            = own("experiment.item.version")
	keyItemRootSpanID         = own("experiment.item.root_observation_id")
	keyItemExpectedOutput     = own("experiment.item.expected_output")
	keyItemMetadata           = own("experiment.item.metadata")
)

// The keys of the conventions.
var (
	keyServiceName               = named("service.name")
	keyServiceVersion            = named("service.version")
	keyTelemetryLanguage         = named("telemetry.sdk.language")
	keyTelemetryName             = named("telemetry.sdk.name")
	keyTelemetryVersion          = named("telemetry.sdk.version")
	keyDeploymentEnvironmentName = named("deployment.environment.name")
	keyDeploymentEnvironment     = named("deployment.environment")
	keyPlainUserID               = named("user.id")
	keyPlainSessionID            = named("session.id")
	keyPlainModel                = named("model")
	keyModelConfig               = named("model_config")
	keyPlainInput                = namedContent("input")
	keyPlainOutput               = namedContent("output")
	keyPrompt                    = namedContent("prompt")
	keyToolArguments             = named("tool_arguments")
	keyToolResponse              = named("tool_response")
	keyOperationName             = named("operation.name")

	keyGenAIOperation          = named("gen_ai.operation.name")
	keyGenAISystem             = named("gen_ai.system")
	keyGenAIRequestModel       = named("gen_ai.request.model")
	keyGenAIResponseModel      = named("gen_ai.response.model")
	keyGenAIMaxTokens          = named("gen_ai.request.max_tokens")
	keyGenAITemperature        = named("gen_ai.request.temperature")
	keyGenAIServiceTier        = named("gen_ai.request.service_tier")
	keyGenAIFinishReasons      = named("gen_ai.response.finish_reasons")
	keyGenAIFinishReason       = named("gen_ai.finishReason")
	keyGenAIConversationID     = named("gen_ai.conversation.id")
	keyGenAIToolName           = named("gen_ai.tool.name")
	keyGenAIToolCallID         = named("gen_ai.tool.call.id")
	keyGenAIToolDefinitions    = named("gen_ai.tool.definitions")
	keyGenAIToolArguments      = namedContent("gen_ai.tool.call.arguments")
	keyGenAIToolResult         = namedContent("gen_ai.tool.call.result")
	keyGenAISystemInstructions = namedContent("gen_ai.system_instructions")
	keyGenAIInputMessages      = namedContent("gen_ai.input.messages")
	keyGenAIOutputMessages     = namedContent("gen_ai.output.messages")
	keyGenAIPromptTokens       = named("gen_ai.usage.prompt_tokens")
	keyGenAIInputTokens        = named("gen_ai.usage.input_tokens")
	keyGenAICompletionTokens   = named("gen_ai.usage.completion_tokens")
	keyGenAIOutputTokens       = named("gen_ai.usage.output_tokens")
	keyGenAICost               = named("gen_ai.usage.cost")
	keyGenAITotalCost          = named("gen_ai.cost.total_cost")
	keyGenAIFirstChunk         = named("gen_ai.client.operation.time_to_first_chunk")
	keyGenAIResponseFirstChunk = named("gen_ai.response.time_to_first_chunk")
	keyGenAIServerFirstToken   = named("gen_ai.server.time_to_first_token")
	keyGenAIPrompt             = namedContent("gen_ai.prompt")
	keyGenAICompletion         = namedContent("gen_ai.completion")

	keyOpenInferenceKind = named("openinference.span.kind")
	keyOpenInferenceTags = named("tag.tags")
	keyInputValue        = namedContent("input.value")
	keyOutputValue       = namedContent("output.value")
	keyLLMModelName      = named("llm.model_name")
	keyLLMResponseModel  = named("llm.response.model")
	keyLLMParameters     = named("llm.invocation_parameters")
	keyLLMCost           = named("llm.cost.total")
	keyLLMUser           = named("llm.user")
	keyEmbeddingModel    = named("embedding.model_name")
	keyLLMInputMessages  = namedContent("llm.input_messages")
	keyLLMOutputMessages = namedContent("llm.output_messages")

	keyVercelModel             = named("ai.model.id")
	keyVercelProvider          = named("ai.model.provider")
	keyVercelOperation         = named("ai.operationId")
	keyVercelFunction          = named("ai.telemetry.functionId")
	keyVercelPromptMessages    = namedContent("ai.prompt.messages")
	keyVercelPrompt            = namedContent("ai.prompt")
	keyVercelPromptTools       = named("ai.prompt.tools")
	keyVercelToolChoice        = named("ai.prompt.toolChoice")
	keyVercelToolCallName      = named("ai.toolCall.name")
	keyVercelToolCallArgs      = namedContent("ai.toolCall.args")
	keyVercelToolCallResult    = namedContent("ai.toolCall.result")
	keyVercelResponseText      = namedContent("ai.response.text")
	keyVercelResponseObject    = namedContent("ai.response.object")
	keyVercelResponseToolCalls = namedContent("ai.response.toolCalls")
	keyVercelProviderMetadata  = named("ai.response.providerMetadata")
	keyVercelFirstChunk        = named("ai.response.msToFirstChunk")
	keyVercelStreamFirstChunk  = named("ai.stream.msToFirstChunk")
	keyVercelValue             = namedContent("ai.value")
	keyVercelValues            = namedContent("ai.values")
	keyVercelEmbedding         = namedContent("ai.embedding")
	keyVercelEmbeddings        = namedContent("ai.embeddings")
	keyVercelResultText        = namedContent("ai.result.text")
	keyVercelResultObject      = namedContent("ai.result.object")
	keyVercelResultToolCalls   = namedContent("ai.result.toolCalls")
	keyVercelMaxSteps          = named("ai.settings.maxSteps")
	keyVercelMaxRetries        = named("ai.settings.maxRetries")
	keyVercelMode              = named("ai.settings.mode")
	keyVercelTokens            = named("ai.usage.tokens")
	keyVercelCachedTokens      = named("ai.usage.cachedInputTokens")
	keyVercelReasoningTokens   = named("ai.usage.reasoningTokens")
	_                          = namedContent("ai.telemetry.metadata") // just excluded from the attributes
	keyVercelUserID            = namedContent("ai.telemetry.metadata.userId")
	keyVercelSessionID         = namedContent("ai.telemetry.metadata.sessionId")
	keyVercelTags              = namedContent("ai.telemetry.metadata.tags")
	keyVercelPromptLink        = namedContent("ai.telemetry.metadata.langfusePrompt")

	keyGenkitName    = named("genkit:name")
	keyGenkitSubtype = named("genkit:metadata:subtype")
	keyGenkitInput   = namedContent("genkit:input")
	keyGenkitOutput  = namedContent("genkit:output")

	keyFlueToolName        = named("flue.tool.name")
	keyFlueToolCallID      = named("flue.tool.call_id")
	keyFlueTaskID          = named("flue.task.id")
	keyFlueTaskAgent       = named("flue.task.agent")
	keyFlueTurnInput       = namedContent("flue.turn.input")
	keyFlueTurnOutput      = namedContent("flue.turn.output")
	keyFlueToolArguments   = namedContent("flue.tool.arguments")
	keyFlueToolResult      = namedContent("flue.tool.result")
	keyFlueTaskPrompt      = namedContent("flue.task.prompt")
	keyFlueTaskResult      = namedContent("flue.task.result")
	keyFlueOperationResult = namedContent("flue.operation.result")
	keyFlueWorkflowPayload = namedContent("flue.workflow.payload")
	keyFlueWorkflowResult  = namedContent("flue.workflow.result")

	keyVertexRequest      = namedContent("gcp.vertex.agent.llm_request")
	keyVertexResponse     = namedContent("gcp.vertex.agent.llm_response")
	keyVertexToolArgs     = namedContent("gcp.vertex.agent.tool_call_args")
	keyVertexToolResponse = namedContent("gcp.vertex.agent.tool_response")
	keyVertexSession      = named("gcp.vertex.agent.session_id")

	keyLiveKitInputText    = namedContent("lk.input_text")
	keyLiveKitTranscript   = namedContent("lk.user_transcript")
	keyLiveKitChatContext  = namedContent("lk.chat_ctx")
	_                      = namedContent("lk.user_input")
	keyLiveKitToolOutput   = namedContent("lk.function_tool.output")
	keyLiveKitResponseText = namedContent("lk.response.text")

	keyLogfireMessage     = named("logfire.msg")
	keyLogfireEvents      = namedContent("events")
	keyPydanticEvents     = namedContent("all_messages_events")
	keyPydanticMessages   = namedContent("pydantic_ai.all_messages")
	keyPydanticResult     = namedContent("final_result")
	keyPydanticParameters = named("model_request_parameters")

	keyMLflowInputs  = namedContent("mlflow.spanInputs")
	keyMLflowOutputs = namedContent("mlflow.spanOutputs")

	keyTraceloopInput     = namedContent("traceloop.entity.input")
	keyTraceloopOutput    = namedContent("traceloop.entity.output")
	keyTraceloopUser      = named("traceloop.association.properties.user_id")
	keyTraceloopUserID    = named("traceloop.association.properties.userId")
	keyTraceloopSession   = named("traceloop.association.properties.session_id")
	keyTraceloopSessionID = named("traceloop.association.properties.sessionId")
)
