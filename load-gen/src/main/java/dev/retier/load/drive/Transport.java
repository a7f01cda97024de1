package dev.retier.load.drive;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;

/** The system's way to do sockets. */
enum Transport {
    /** Linux, native. */
    EPOLL,
    /** Everywhere else. */
    NIO;

    static Transport best() {
        return Epoll.isAvailable() ? EPOLL : NIO;
    }

    MultiThreadIoEventLoopGroup newGroup(int loops) {
        IoHandlerFactory factory = switch (this) {
            case EPOLL -> EpollIoHandler.newFactory();
            case NIO -> NioIoHandler.newFactory();
        };
        return new MultiThreadIoEventLoopGroup(loops, new DefaultThreadFactory("load-loop", true), factory);
    }

    ServerBootstrap newServerBootstrap(MultiThreadIoEventLoopGroup group) {
        return new ServerBootstrap()
                .group(group)
                .channel(
                        switch (this) {
                            case EPOLL -> EpollServerSocketChannel.class;
                            case NIO -> NioServerSocketChannel.class;
                        });
    }

    Bootstrap newBootstrap(EventLoop loop, int connectTimeoutMillis) {
        Class<? extends Channel> channel = switch (this) {
            case EPOLL -> EpollSocketChannel.class;
            case NIO -> NioSocketChannel.class;
        };
        return new Bootstrap()
                .group(loop)
                .channel(channel)
                .disableResolver() // names are looked up before, and not by the thread that sends
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectTimeoutMillis);
    }
}
