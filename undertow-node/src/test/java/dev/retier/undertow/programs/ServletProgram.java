package dev.retier.undertow.programs;

import dev.retier.undertow.UndertowNode;
import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;

/** A servlet deployment below a context path. */
final class ServletProgram implements Program {
    static final String CONTEXT = "/shop";

    private final DeploymentManager deployment;
    private final Undertow server;

    ServletProgram(String name, UndertowNode node) throws ServletException {
        Servlet pages = new Pages(name);
        DeploymentInfo info = Servlets.deployment()
                .setClassLoader(ServletProgram.class.getClassLoader())
                .setContextPath(CONTEXT)
                .setDeploymentName(name)
                .addInitialHandlerChainWrapper(node)
                .addServlet(Servlets.servlet("pages", Pages.class, new ImmediateInstanceFactory<>(pages))
                        .addMappings("/hello", "/length", "/wait", "/lines"));
        deployment = Servlets.newContainer().addDeployment(info);
        deployment.deploy();
        server = Undertow.builder()
                .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, MAX_UPLOAD_BYTES)
                .addHttpListener(0, "127.0.0.1", Handlers.path().addPrefixPath(CONTEXT, deployment.start()))
                .addHttpListener(0, "127.0.0.1", node.admin())
                .build();
        server.start();
    }

    @Override
    public int port() {
        return Program.port(server, 0);
    }

    @Override
    public int adminPort() {
        return Program.port(server, 1);
    }

    @Override
    public void close() {
        try {
            deployment.stop();
        } catch (ServletException e) {
            throw new IllegalStateException(e);
        }
        deployment.undeploy();
        server.stop();
    }
}
